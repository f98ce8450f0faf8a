import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

/** A SQL statement in the sources. */
export interface Statement {
  line: number
  /** Its texts, with different replacements of the parts that are known at run time only. */
  texts: Set<string>
}

/** Replacements of a part that is known at run time only: an expression, nothing, a condition, a number. */
const replacements = ['NULL', '', 'true', '1']
/** Parts that are replaced independently of each other; all further ones as the first. */
const maxIndependent = 3

/**
 * Collects the SQL statements of a module: first arguments of functions named `query`, the property `text` of prepared
 * statements, and templates of Prisma's `$queryRaw` and `$executeRaw`. Each is evaluated in the scope of its module, so
 * that constants and fragments have their values.
 */
export async function collectStatements(file: string): Promise<Statement[]> {
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  const sent: { line: number; code: string; unknowns: number }[] = []
  visit(toNode(parseAst(source)), [], (node, ancestors) => {
    const text = findText(node)
    if (text === undefined) return
    const { declarations, unknowns } = declareLocals(text, ancestors, source)
    sent.push({
      line: source.slice(0, node.start).split('\n').length,
      code: `(unknown, attempt) => { ${declarations.join(';')}; return ${codeOf(text, source)} }`,
      unknowns,
    })
  })
  if (sent.length === 0) return []
  const evaluators = await importStatements(file, source, sent)
  return sent.flatMap(({ line, unknowns }, index) => {
    const texts = new Set<string>()
    for (const chosen of combinations(Math.min(unknowns, maxIndependent))) {
      const values = Array.from({ length: unknowns }, (_, nth) => createUnknown(chosen[nth] ?? chosen[0] ?? ''))
      const text = attempt(() => evaluators[index]?.(values, attempt), undefined)
      if (typeof text === 'string' && /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(text)) texts.add(text)
    }
    return texts.size === 0 ? [] : [{ line, texts }]
  })
}

/** Returns every way to choose a replacement for each of `count` parts. */
const combinations = (count: number): string[][] =>
  count === 0 ? [[]] : combinations(count - 1).flatMap((rest) => replacements.map((text) => [...rest, text]))

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** Returns the expression that gives the text of a statement, if a node sends or declares one. */
function findText(node: Node): Node | undefined {
  if (node.type === 'TaggedTemplateExpression')
    return /\$(query|execute)Raw$/.test(nameOf(node.tag)) ? toNode(node.quasi) : undefined
  if (node.type === 'Property') return nameOf(node.key) === 'text' ? toNode(node.value) : undefined
  if (node.type !== 'CallExpression' || !/(^|\.)([qQ]uery|\$\w+RawUnsafe)$/.test(nameOf(node.callee))) return undefined
  return Array.isArray(node.arguments) && node.arguments.length > 0 ? toNode(node.arguments[0]) : undefined
}

/**
 * Returns declarations of the variables of enclosing functions that an expression uses, those they use first, and how
 * many of them are known at run time only.
 */
function declareLocals(expression: Node, ancestors: readonly Node[], source: string) {
  const bindings = new Map<string, Node | undefined>()
  for (const scope of ancestors.filter(({ type }) => /Function/.test(type))) {
    visit(scope, [], ({ type, id, init, params }) => {
      if (type === 'VariableDeclarator' && isNode(id))
        for (const name of namesIn(id)) bindings.set(name, id.type === 'Identifier' && isNode(init) ? init : undefined)
      if (Array.isArray(params))
        for (const name of params.filter(isNode).flatMap(namesIn)) bindings.set(name, undefined)
    })
  }
  const declarations: string[] = []
  const seen = new Set<string>()
  let unknowns = 0
  const declare = (node: Node) => {
    for (const name of namesIn(node)) {
      if (!bindings.has(name) || seen.has(name)) continue
      seen.add(name)
      const init = bindings.get(name)
      if (init !== undefined) declare(init)
      const unknown = `unknown[${unknowns++}]`
      const code = init === undefined ? '' : codeOf(init, source)
      const isKnown = code !== '' && !/\bawait\b/.test(code)
      declarations.push(`const ${name} = ${isKnown ? `attempt(() => (${code}), ${unknown})` : unknown}`)
    }
  }
  declare(expression)
  return { declarations, unknowns }
}

/** Returns the names that an expression or a pattern mentions, except those of properties. */
function namesIn(node: Node): string[] {
  const names = new Set<string>()
  visit(node, [], ({ type, name, start }, ancestors) => {
    const parent = ancestors.at(-1)
    const isProperty = parent?.type === 'MemberExpression' && isNode(parent.property) && parent.property.start === start
    if (type === 'Identifier' && typeof name === 'string' && !isProperty) names.add(name)
  })
  return [...names]
}

/** Returns the code of an expression. Fields of an object are unknown. */
const codeOf = (node: Node, source: string): string =>
  source.slice(node.start, node.end).replaceAll(/\bthis\.#?\w+/g, 'unknown[0]')

/** Imports a module together with functions that evaluate the texts of its statements. */
async function importStatements(file: string, source: string, sent: readonly { code: string }[]) {
  const url = `${pathToFileURL(file).href}?statements`
  const code = sent.map((each) => each.code).join(',\n')
  const hooks = registerHooks({
    load: (requested, context, next) =>
      requested === url
        ? { format: 'module', source: `${source}\nexport const statements__ = [${code}]`, shortCircuit: true }
        : next(requested, context),
  })
  try {
    const module: { statements__: ((unknown: unknown[], attempt: unknown) => unknown)[] } = await import(url)
    return module.statements__
  } finally {
    hooks.deregister()
  }
}

function attempt(evaluate: () => unknown, otherwise: unknown): unknown {
  try {
    return evaluate() ?? otherwise
  } catch {
    return otherwise
  }
}

/** Creates a value that has every property and can be called and iterated; its text is the replacement. */
function createUnknown(text: string): unknown {
  const unknown: unknown = new Proxy(() => {}, {
    get: (_target, key) => {
      if (key === Symbol.toPrimitive || key === 'toString') return () => text
      return key === Symbol.iterator ? () => [unknown].values() : unknown
    },
    apply: () => unknown,
  })
  return unknown
}

/** Calls `onNode` for a node and all nodes in it. */
function visit(node: Node, ancestors: readonly Node[], onNode: (node: Node, ancestors: readonly Node[]) => void): void {
  onNode(node, ancestors)
  const inner = [...ancestors, node]
  for (const value of Object.values(node).flat()) if (isNode(value)) visit(value, inner, onNode)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function toNode(value: unknown): Node {
  if (!isNode(value)) throw new Error('not a node of a syntax tree')
  return value
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (typeof value.name === 'string') return value.name
  return value.type === 'MemberExpression' ? `.${nameOf(value.property)}` : ''
}
