/** A semicolon, or a token that may contain one: comment, string, quoted identifier, dollar-quoted string. */
const tokenPattern = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/**
 * Splits a script into statements. Needed only for migrations without a transaction, because PostgreSQL runs statements
 * sent in one message in one transaction. Nested comments and `E'\''` are not supported.
 */
export function splitStatements(script: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const match of script.matchAll(tokenPattern)) {
    if (match[0] !== ';') continue
    parts.push(script.slice(start, match.index))
    start = match.index + 1
  }
  parts.push(script.slice(start))
  return parts.map((statement) => statement.trim()).filter(isNotEmpty)
}

const isNotEmpty = (statement: string): boolean => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== ''
