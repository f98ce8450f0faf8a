import { Parser } from 'htmlparser2'

/** An element and what is in it. */
export interface XmlElement {
  name: string
  /** All text in it, but not in its children. */
  text: string
  children: XmlElement[]
}

/** No answer of a store goes as deep or has as many elements; each level makes the parser slower. */
const [maxDepth, maxElements] = [100, 200_000]

/**
 * Reads a small XML document. No type of document is looked at, so nothing it declares is ever expanded: only the five
 * entities of XML itself and characters by number are (XML 1.0, 4.6).
 *
 * @returns its root; nothing where there is none, where it is not there to its end, or beyond all measure
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
  // The end of the text would close what is open still.
  if (open.length > 1 || count > maxElements) return undefined
  parser.end()
  return document.children.length === 1 ? document.children[0] : undefined
}

/** The text of the first child of a name. */
export const childText = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.children.find((child) => child.name === name)?.text
