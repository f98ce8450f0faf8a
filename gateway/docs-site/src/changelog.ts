/** Links of the changelog lead into the repository, which the site does not show: their text stays. */
export const readChangelog = (text: string): string =>
  text
    .replaceAll(/ ?\(\[(?:guide|README)\]\([^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)([^)]*)\)/g, (_link, label: string, target: string) =>
      target === 'docs/versioning.md' ? '[Versioning](/docs/versioning)' : label,
    )
