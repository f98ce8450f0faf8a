import { Parser } from 'htmlparser2'

/** An element and what is in it. */
export interface Element {
  name: string
  /** All text in it, but not in its children. */
  text: string
  children: Element[]
}

/**
 * Reads a small XML document. No type of document is looked at, so nothing it declares is ever expanded: only the five
 * entities of XML itself and characters by number are (XML 1.0, 4.6).
 *
 * @returns its root; nothing where there is none, or where it is not there to its end
 */
export function readXml(text: string): Element | undefined {
  const document: Element = { name: '', text: '', children: [] }
  const open = [document]
  const parser = new Parser(
    {
      onopentag(name) {
        const element: Element = { name: name.replace(/^.*:/, ''), text: '', children: [] }
        open.at(-1)?.children.push(element)
        open.push(element)
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
  const isWhole = open.length === 1
  parser.end()
  return isWhole && document.children.length === 1 ? document.children[0] : undefined
}

/** The text of the first child of a name. */
export const textOf = (element: Element | undefined, name: string): string | undefined =>
  element?.children.find((child) => child.name === name)?.text
