import { SaxesParser } from 'saxes'
import { SamlRefusal, type SamlRefusalReason } from './saml-refusal.ts'

/** An element of a document without comments, CDATA, processing instructions and entities of its own. */
export interface XmlElement {
  /** Without prefix. */
  name: string
  namespace: string
  /** Values by name, with prefix; without the declarations of namespaces. */
  attributes: ReadonlyMap<string, string>
  children: readonly XmlElement[]
  /** The text of the element itself, trimmed. */
  text: string
  parent: XmlElement | undefined
}

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const

export interface XmlBounds {
  maxElements: number
  /** True for metadata, where comments are usual and harmless; they are left out. */
  allowsComments?: boolean
}

const maxDepth = 40

/**
 * Parses a document strictly. The parser is another than that of the library which verifies signatures, so that a
 * document which one of them reads in another way is refused by the other.
 * @throws SamlRefusal
 */
export function parseXml(text: string, { maxElements, allowsComments = false }: XmlBounds): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: (XmlElement & { children: XmlElement[] })[] = []
  let root: XmlElement | undefined
  let elements = 0
  const refuse = (reason: SamlRefusalReason) => () => {
    throw new SamlRefusal(reason)
  }
  parser.on('error', (cause) => {
    throw new SamlRefusal(/entity/.test(cause.message) ? 'entity' : 'malformed_xml', { cause })
  })
  parser.on('doctype', refuse('doctype'))
  parser.on('cdata', refuse('cdata'))
  parser.on('processinginstruction', refuse('processing_instruction'))
  if (!allowsComments) parser.on('comment', refuse('comment'))
  parser.on('opentag', ({ local, uri, attributes }) => {
    elements += 1
    if (elements > maxElements || open.length >= maxDepth) throw new SamlRefusal('too_complex')
    const own = Object.values(attributes).filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
    const parent = open.at(-1)
    const values = new Map(own.map(({ name, value }) => [name, value]))
    const element = { name: local, namespace: uri, attributes: values, children: [], text: '', parent }
    parent?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('text', (part) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  })
  parser.on('closetag', () => {
    const element = open.pop()
    if (element !== undefined) element.text = element.text.trim()
  })
  parser.write(text).close()
  if (root === undefined) throw new SamlRefusal('malformed_xml')
  return root
}

/** Returns the children of an element with a name. */
export const childrenOf = (
  element: XmlElement | undefined,
  namespace: keyof typeof namespaces,
  name: string,
): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name && child.namespace === namespaces[namespace]) ?? []

/** Returns an element and all elements in it. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* elementsOf(child)
}

/** Returns the text of an element without children; undefined if it is empty or has children. */
export const textOf = (element: XmlElement | undefined): string | undefined =>
  element === undefined || element.children.length > 0 || element.text === '' ? undefined : element.text
