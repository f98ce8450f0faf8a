type Language = 'ts' | 'python'

const maxLineLength = 70

/** Writes a JSON value as a literal of a language. @param indent spaces before the line on which it begins */
export function literalOf(value: unknown, language: Language, indent = 0): string {
  const inline = write(value, language)
  if (inline.length + indent <= maxLineLength || typeof value !== 'object' || value === null) return inline
  const inner = ' '.repeat(indent + (language === 'ts' ? 2 : 4))
  const end = ' '.repeat(indent)
  const member = (item: unknown) => literalOf(item, language, inner.length)
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${member(item)},\n`).join('')}${end}]`
  const members = Object.entries(value).map(([name, item]) => `${inner}${keyOf(name, language)}: ${member(item)},\n`)
  return `{\n${members.join('')}${end}}`
}

function write(value: unknown, language: Language): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, language)).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, item]) => `${keyOf(name, language)}: ${write(item, language)}`)
    if (members.length === 0) return '{}'
    return language === 'ts' ? `{ ${members.join(', ')} }` : `{${members.join(', ')}}`
  }
  if (typeof value === 'string') return stringLiteral(value, language)
  return language === 'python' ? pythonConstant(value) : String(value)
}

function keyOf(name: string, language: Language): string {
  if (language === 'python') return JSON.stringify(name)
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name, language)
}

function stringLiteral(text: string, language: Language): string {
  const quoted = JSON.stringify(text)
  if (language === 'python' || text.includes("'")) return quoted
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`
}

const pythonConstants: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
const pythonConstant = (value: unknown): string => pythonConstants[String(value)] ?? String(value)
