/** The frame of every page. */
import { assets } from './assets.js';
import { escaped } from './escaped.js';

/** A whole page as HTML; so is `body`. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${assets().path}/site.css">
</head>
<body>
${body}
</body>
</html>
`;
}
