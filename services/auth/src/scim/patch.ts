import { type Element, equalPairs, type Filter, matchesElement, normalizePath, parseFilter } from './filter.ts'
import { scimError } from './scim-error.ts'

/** The attributes of a resource by their canonical names. */
export type Document = Record<string, unknown>

/** The attributes that a resource can have. */
export interface AttributeNames {
  /** Canonical names of the attributes that are kept. */
  kept: readonly string[]
  /** Of those, the multi-valued ones. */
  lists: readonly string[]
  /** Names in lower case of attributes of the schema that are not kept. Changes of them are ignored. */
  ignored: ReadonlySet<string>
}

interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

const maxOperations = 100

/**
 * Applies the operations of a PATCH (RFC 7644 section 3.5.2) to a document and returns the changed one. Also accepts
 * what Entra ID sends: operations in any case, paths as members of a value, and a list of the members to remove as
 * value.
 * @throws Problem with a scimType
 */
export function applyPatch(document: Document, body: Document, names: AttributeNames): Document {
  const changed: Document = structuredClone(document)
  for (const { op, path, value } of readOperations(body)) {
    if (path !== undefined) apply(changed, op, path, value, names)
    else if (op === 'remove') throw scimError('noTarget', 'An operation remove needs a path')
    else if (!isObject(value)) throw scimError('invalidValue', 'An operation without a path needs an object as value')
    else for (const [name, each] of Object.entries(value)) apply(changed, op, name, each, names)
  }
  return changed
}

function readOperations(body: Document): Operation[] {
  const found = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(found) || found.length === 0) throw scimError('invalidSyntax', 'The body must have Operations')
  if (found.length > maxOperations)
    throw scimError('invalidValue', `The body must have at most ${maxOperations} operations`)
  return found.map((each: unknown) => {
    if (!isObject(each)) throw scimError('invalidSyntax', 'An operation must be an object')
    const op = String(each.op).toLowerCase()
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw scimError('invalidSyntax', 'The op of an operation must be add, replace or remove')
    if (each.path !== undefined && typeof each.path !== 'string')
      throw scimError('invalidPath', 'The path of an operation must be a string')
    return { op, path: each.path === '' ? undefined : each.path, value: each.value }
  })
}

interface Target {
  /** Canonical name of the attribute. */
  name: string
  filter: Filter | undefined
  /** Name of the sub-attribute in lower case. */
  part: string | undefined
}

function apply(document: Document, op: Operation['op'], path: string, value: unknown, names: AttributeNames): void {
  const target = parsePath(path, names)
  if (target === undefined) return
  const { name, filter, part } = target
  if (names.lists.includes(name)) {
    applyToList(document, op, target, value)
    return
  }
  if (filter !== undefined) throw scimError('invalidPath', `${name} has no elements`)
  if (part === undefined) {
    if (op === 'remove') delete document[name]
    else if (isObject(value) && isObject(document[name])) document[name] = { ...document[name], ...value }
    else document[name] = value
    return
  }
  const key = subAttributes[part] ?? part
  const { [key]: _, ...others } = isObject(document[name]) ? document[name] : {}
  document[name] = op === 'remove' ? others : { ...others, [key]: value }
}

/** Canonical names of sub-attributes that are not in lower case. */
const subAttributes: Readonly<Record<string, string>> = { givenname: 'givenName', familyname: 'familyName' }

/** @returns undefined for an attribute that is not kept */
function parsePath(path: string, { kept, ignored }: AttributeNames): Target | undefined {
  const normalized = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i, '').trim()
  if (/^urn:/i.test(normalized)) return undefined
  const [, word = '', brackets, part] =
    /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s.exec(normalized) ?? []
  const name = kept.find((one) => one.toLowerCase() === word.toLowerCase())
  if (name === undefined) {
    if (ignored.has(word.toLowerCase())) return undefined
    throw scimError('invalidPath', `${path.slice(0, 100)} is not an attribute of the resource`)
  }
  return {
    name,
    filter: brackets === undefined ? undefined : parseFilter(brackets),
    part: part === undefined ? undefined : normalizePath(part),
  }
}

function applyToList(document: Document, op: Operation['op'], { name, filter, part }: Target, value: unknown): void {
  const elements = toElements(document[name])
  if (op === 'remove') document[name] = removeFrom(elements, { filter, part }, value)
  else if (filter === undefined && part === undefined)
    document[name] = op === 'replace' ? toElements(value) : addTo(elements, toElements(value))
  else document[name] = changeIn(elements, { filter, part }, value)
}

/** Without a filter, a value lists the elements to remove, as Entra ID sends it; without both, all are removed. */
function removeFrom(elements: Element[], { filter, part }: Pick<Target, 'filter' | 'part'>, value: unknown): Element[] {
  const listed =
    value === undefined || value === null ? undefined : new Set(toElements(value).map((each) => each.value))
  const isTarget = (element: Element) =>
    filter === undefined ? listed?.has(element.value) !== false : matchesElement(filter, element)
  if (part === undefined) return elements.filter((element) => !isTarget(element))
  return elements.map((element) => {
    const { [part]: _, ...others } = element
    return isTarget(element) ? others : element
  })
}

function addTo(elements: Element[], added: Element[]): Element[] {
  const known = new Set(elements.map(({ value }) => value))
  return [...elements, ...added.filter(({ value }) => !known.has(value))]
}

/** Changes the elements that match. If none does, adds one that would, as Entra ID and Okta expect. */
function changeIn(elements: Element[], { filter, part }: Pick<Target, 'filter' | 'part'>, value: unknown): Element[] {
  const change = part === undefined ? toElements(value)[0] : { [part]: value }
  const matches = (element: Element) => filter === undefined || matchesElement(filter, element)
  if (elements.some(matches)) return elements.map((element) => (matches(element) ? { ...element, ...change } : element))
  const pairs = filter === undefined ? {} : equalPairs(filter)
  if (pairs === undefined) throw scimError('noTarget', 'No element matches the path')
  return [...elements, { ...pairs, ...change }]
}

/** A single value counts as a list of one, and a bare text as its `value`. */
function toElements(value: unknown): Element[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((each: unknown) => (isObject(each) ? each : { value: each }))
}

export const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
