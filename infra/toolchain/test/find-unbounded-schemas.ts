import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A schema that accepts any number of elements or keys. */
export interface UnboundedSchema {
  line: number
  kind: string
}

const schemaCall = /\bz\s*\.\s*(array|record|map|set)\(/g
/**
 * A chain of these methods only checks the length. zod checks `max` before the elements if no other check precedes it.
 */
const lengthCheck = /^\s*\.\s*(min|nonempty|max|length)\(/

/**
 * Returns the array, record, map and set schemas in a source text that count nothing, or only after they have validated
 * all elements. A comment `// unbounded: <reason>` on the line above or at the end of the line accepts one.
 */
export function findUnboundedSchemas(source: string): UnboundedSchema[] {
  const text = blankOutText(source)
  const lines = source.split('\n')
  return [...text.matchAll(schemaCall)].flatMap(({ index, 0: call, 1: kind = '' }) => {
    const line = text.slice(0, index).split('\n').length
    const isAccepted = [lines[line - 2]?.trim(), lines[line - 1]].some((at) => /\/\/ unbounded: \S/.test(at ?? ''))
    const isBounded = kind !== 'record' && isLimited(text.slice(closingAt(text, index + call.length)))
    return isAccepted || isBounded ? [] : [{ line, kind }]
  })
}

/** Returns true if a method chain begins with length checks that include a maximum. */
function isLimited(chain: string): boolean {
  const [match, method] = lengthCheck.exec(chain) ?? []
  if (match === undefined) return false
  return method === 'max' || method === 'length' || isLimited(chain.slice(closingAt(chain, match.length)))
}

/** Returns the position after the parenthesis that closes the one before `start`. */
function closingAt(text: string, start: number): number {
  let depth = 1
  let position = start
  while (depth > 0 && position < text.length) {
    const character = text[position++]
    if (character === '(') depth++
    else if (character === ')') depth--
  }
  return position
}

/** Replaces strings, regular expressions and comments by blanks of the same length: they may contain parentheses. */
function blankOutText(source: string): string {
  const literals =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g
  return source.replaceAll(literals, (literal) => literal.replaceAll(/[^\n]/g, ' '))
}

/**
 * Folders whose schemas may read what users or other servers sent. The inputs of endpoints are checked on the schemas
 * themselves (packages/contracts/test/bounded-inputs.test.ts); the test kit reads nothing from outside.
 */
const isScanned = (file: string): boolean =>
  /^(gateway|services\/[\w-]+|packages\/(?!contracts|testkit)[\w-]+)\/src\/.*\.ts$/.test(file) &&
  !file.includes('/generated/')

/** Returns `file:line kind` of each unbounded schema of the repository. */
export function findUnboundedInRepository(root: string): { scanned: number; found: string[] } {
  const files = ['gateway', 'services', 'packages'].flatMap((folder) => listFiles(root, folder)).filter(isScanned)
  const found = files.flatMap((file) =>
    findUnboundedSchemas(readFileSync(join(root, file), 'utf8')).map(({ line, kind }) => `${file}:${line} ${kind}`),
  )
  return { scanned: files.length, found }
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listFiles(root, path) : [path]
  })
}
