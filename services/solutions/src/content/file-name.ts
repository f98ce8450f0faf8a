/** Characters that a file system or `Content-Disposition` refuses, and those that hide or reorder the name. */
const unusable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g

/** Characters of a title, so that the whole name has at most 255 bytes in any script. */
const maxTitle = 60

/** Returns a file name from user text and a date, which may be empty: `Close floor 4 on Fridays – 2026-11-28.pdf`. */
export function fileName(title: string, date: string, extension: string): string {
  const line = title.toWellFormed().replace(unusable, ' ').replace(/\s+/g, ' ')
  // Windows hides files that begin, and refuses those that end, with a dot.
  const words = [...line]
    .slice(0, maxTitle)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return `${[words, date].filter((part) => part !== '').join(' – ') || 'file'}.${extension}`
}
