/** A tool call that the user spells out. */
interface NamedCall {
  tool: string
  input: Record<string, unknown>
}

/**
 * Returns the call that the user names: an offered tool with a JSON object (`use crm_lookup {"id": 7}`), a variable by
 * its name (`REPORT_CURRENCY`), or a record by its identifier.
 */
export function namedCall(text: string, tools: ReadonlySet<string>): NamedCall | undefined {
  const tool = [...tools].find((name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(text))
  const input = tool === undefined ? undefined : objectIn(text)
  if (tool !== undefined && input !== undefined) return { tool, input }
  const [variable] = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/.exec(text) ?? []
  if (variable !== undefined && tools.has('read_variable')) return { tool: 'read_variable', input: { name: variable } }
  const [record] = /\brec_[0-9a-z]{26}\b/.exec(text) ?? []
  if (record !== undefined && tools.has('read_record')) return { tool: 'read_record', input: { record_id: record } }
  return undefined
}

/** Returns the JSON object in a text. */
function objectIn(text: string): Record<string, unknown> | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (start === -1 || end < start) return undefined
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
