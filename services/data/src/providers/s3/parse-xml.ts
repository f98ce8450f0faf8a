import { Parser } from 'htmlparser2'

/** An element of an XML document. */
export interface XmlElement {
  name: string
  /** Its own text, without that of its children. */
  text: string
  children: XmlElement[]
}

/** Beyond any response of a store; the parser gets slower with each level. */
const [maxDepth, maxElements] = [100, 200_000]

/**
 * Parses a small XML document. Ignores the document type, so entities it declares are never expanded: only the five
 * predefined ones and character references are (XML 1.0, 4.6).
 *
 * @returns the root element; undefined if the document is malformed, truncated or beyond the limits
 */
export function parseXml(text: string): XmlElement | undefined {
  const document: XmlElement = { name: '', text: '', children: [] }
  const open = [document]
  let count = 0
  const parser = new Parser(
    {
      onopentag(name) {
        const element: XmlElement = { name: name.replace(/^.*:/, ''), text: '', children: [] }
        open.at(-1)?.children.push(element)
        open.push(element)
        if (++count > maxElements || open.length > maxDepth) parser.pause()
      },
      ontext(part) {
        const element = open.at(-1)
        if (element !== undefined) element.text += part
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  )
  parser.write(text)
  // `end` would close open elements and hide that the document is truncated.
  if (open.length > 1 || count > maxElements) return undefined
  parser.end()
  return document.children.length === 1 ? document.children[0] : undefined
}

/** Returns the text of the first child with a name. */
export const childText = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.children.find((child) => child.name === name)?.text
