/** Styles are put into the build by Vite. */
declare module '*.css';
