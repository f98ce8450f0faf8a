/**
 * Parses the text of an array (PostgreSQL, 8.15.6): `{1,NULL,"a,b"}`, with dimensions `{{1,2},{3,4}}`, with lower
 * bounds `[0:1]={1,2}`, which are dropped.
 *
 * @returns undefined if the text is not an array
 */
export function parseArray(text: string, delimiter: string, element: (text: string) => unknown): unknown[] | undefined {
  const start = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const [array, end] = parseLevel(text, start, delimiter, element) ?? []
  return end === text.length ? array : undefined
}

/** Parses the array that begins at `start`. Returns it with the offset after it. */
function parseLevel(
  text: string,
  start: number,
  delimiter: string,
  element: (text: string) => unknown,
): [unknown[], number] | undefined {
  if (text[start] !== '{') return undefined
  const elements: unknown[] = []
  if (text[start + 1] === '}') return [elements, start + 2]
  for (let at = start + 1; ; at++) {
    const [value, end] =
      text[at] === '{'
        ? (parseLevel(text, at, delimiter, element) ?? [])
        : text[at] === '"'
          ? parseQuoted(text, at, element)
          : parseUnquoted(text, at, delimiter, element)
    if (end === undefined) return undefined
    elements.push(value)
    if (text[end] === '}') return [elements, end + 1]
    if (text[end] !== delimiter) return undefined
    at = end
  }
}

function parseQuoted(text: string, start: number, element: (text: string) => unknown): [unknown?, number?] {
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return [element(value), at + 1]
    if (text[at] === '\\') at++
    value += text[at] ?? ''
  }
  return []
}

function parseUnquoted(
  text: string,
  start: number,
  delimiter: string,
  element: (text: string) => unknown,
): [unknown?, number?] {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '}') end++
  const value = text.slice(start, end)
  return [value === 'NULL' ? null : element(value), end]
}
