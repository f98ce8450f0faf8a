/** Limits of the output of a tool. */
const [maxTextLength, maxMembers, maxDepth] = [2_000, 100, 6]

/** Length in bytes of a value as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Shortens long texts and large objects of a value, so that one field cannot take the place of all others. */
export function shorten(value: unknown, maxLength = maxTextLength, depth = 0): unknown {
  if (typeof value === 'string') return shortenText(value, maxLength)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return value.slice(0, maxMembers).map((element) => shorten(element, maxLength, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxMembers)
      .map(([name, member]) => [name, shorten(member, maxLength, depth + 1)]),
  )
}

/** Returns the beginning of a text that is longer than `maxLength`, with an ellipsis. */
export const shortenText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`

/** Returns the first items that fit into `maxBytes` as JSON, at least one. */
export function fitItems<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0
  const end = items.findIndex((item, index) => {
    bytes += jsonBytes(item) + 1
    return bytes > maxBytes && index > 0
  })
  return items.slice(0, end === -1 ? items.length : end)
}

/** Returns an output that is at most about `maxBytes` long as JSON: a longer one becomes the beginning of its text. */
export function limitOutput(output: unknown, maxBytes: number): unknown {
  const text = JSON.stringify(output) ?? 'null'
  if (Buffer.byteLength(text) <= maxBytes) return output
  // Quotes and backslashes of the text are escaped again; half of the bytes leaves room for them.
  const beginning = Buffer.from(text)
    .subarray(0, Math.floor(maxBytes / 2))
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  return { truncated: true, beginning }
}
