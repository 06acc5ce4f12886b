/** Styles, and texts that are shown as they are, are put into the build by Vite. */
declare module '*.css';
declare module '*?raw' {
  const text: string;
  export default text;
}
