/** The folder of our packages, in the repository and where they are installed. */
const toolpact = new URL('../../../', import.meta.url).href;

/** Checks whether an address is that of a file of the user's, and not of a package or of Toolpact itself. */
export function isOwnFile(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(toolpact);
}
