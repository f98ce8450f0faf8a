import { SaxesParser } from 'saxes'
import { malformed } from '../problems.ts'

/** Handlers of the elements of a document, by their names without prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/**
 * Parses an XML document in pieces and calls the handlers. Yields after every piece, so that what was found can be
 * passed on. Entities of a document type are not known and refused.
 * @throws Problem `malformed_body`
 */
export async function* parseXmlPieces(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser()
  let fault: Error | undefined
  parser.on('error', (error) => {
    fault ??= error
  })
  parser.on('opentag', (tag) => handlers.open(localName(tag.name), tag.attributes))
  parser.on('closetag', (tag) => handlers.close?.(localName(tag.name)))
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  const decoder = new TextDecoder()
  const check = () => {
    if (fault !== undefined) throw malformed(`The workbook is damaged: ${name}: ${fault.message.slice(0, 200)}`)
  }
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }))
    check()
    yield
  }
  parser.write(decoder.decode()).close()
  check()
  yield
}

/** Parses a whole document. @throws Problem `malformed_body` */
export async function parseXmlDocument(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const _ of parseXmlPieces(chunks, name, handlers));
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns an attribute by its name without prefix. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const found = Object.keys(attributes).find((key) => key === name || key.endsWith(`:${name}`))
  return found === undefined ? undefined : attributes[found]
}
