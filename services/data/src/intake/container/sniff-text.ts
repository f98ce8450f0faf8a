/** The format of a text by its first characters. */
export type TextKind = 'json' | 'ndjson' | 'html' | 'xml' | 'icalendar' | 'delimited'

/** Returns the format that the beginning of a text shows. */
export function sniffText(sample: string): TextKind {
  const text = sample.trimStart()
  if (/^BEGIN:VCALENDAR(?:\s|$)/i.test(text)) return 'icalendar'
  if (/^<\?xml/i.test(text)) return /<html/i.test(text.slice(0, 2_000)) ? 'html' : 'xml'
  // A page that is saved as a web archive begins with its headers.
  if (/^MIME-Version:/i.test(text)) return 'html'
  if (/^<(?:!doctype|!--|html|head|body|title|meta|script|style|div|p|h1|center|table)\b/i.test(text)) return 'html'
  if (/^<[a-z][\w:.-]*(?:\s[^>]*)?>/i.test(text)) return 'xml'
  if (/^\[\s*(?:[{["\]\d-]|true\b|false\b|null\b)/.test(text)) return isJsonList(text) ? 'json' : 'delimited'
  if (/^\{\s*["'}]/.test(text)) return isObjectLine(text) ? 'ndjson' : 'json'
  return 'delimited'
}

/** Names of columns in brackets, such as `[1],[2]`, are not JSON. */
const isJsonList = (text: string): boolean => !/^\[[^\]{"]*\][,;\t]/.test(text)

/** Returns true if the first line is a whole object and others follow. */
function isObjectLine(text: string): boolean {
  const end = text.indexOf('\n')
  if (end === -1 || !/^\s*\{/.test(text.slice(end, end + 1_000))) return false
  try {
    JSON.parse(text.slice(0, end))
    return true
  } catch {
    return false
  }
}
