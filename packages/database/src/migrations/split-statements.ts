/** What a semicolon may hide in: comments, strings, quoted names, dollar quotes. */
const tokenPattern = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/**
 * The statements of a script. Needed only for what cannot run in a transaction: PostgreSQL wraps statements that are
 * sent together in one. Nested comments and `E'\''` are not understood.
 */
export function splitStatements(script: string): string[] {
  const found: string[] = []
  let start = 0
  for (const match of script.matchAll(tokenPattern)) {
    if (match[0] !== ';') continue
    found.push(script.slice(start, match.index))
    start = match.index + 1
  }
  found.push(script.slice(start))
  return found.map((statement) => statement.trim()).filter(isNotEmpty)
}

const isNotEmpty = (statement: string): boolean => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== ''
