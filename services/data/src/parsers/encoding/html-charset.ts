import { peek } from './peek.ts'

/** So far a browser looks for it (https://html.spec.whatwg.org/#determining-the-character-encoding). */
const prescanBytes = 1024

/** The charset a page names itself, in a `meta` element at its beginning, and the page. */
export async function sniffHtmlCharset(
  source: AsyncIterable<Uint8Array>,
): Promise<{ charset: string | undefined; chunks: AsyncIterable<Uint8Array> }> {
  const { head, chunks } = await peek(source, prescanBytes)
  const text = head.toString('latin1').replaceAll(/<!--[\s\S]*?-->/g, '')
  const [, named] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text) ?? []
  // What could be read to here is no UTF-16, whatever it says.
  return { charset: named === undefined || /^utf-?16/i.test(named) ? undefined : named.toLowerCase(), chunks }
}
