import { peek } from './peek.ts'

/** The length browsers scan (https://html.spec.whatwg.org/#determining-the-character-encoding). */
const prescanBytes = 1024

/** Returns the charset that a `meta` element at the beginning of the page declares, and the whole page. */
export async function sniffHtmlCharset(
  source: AsyncIterable<Uint8Array>,
): Promise<{ charset: string | undefined; chunks: AsyncIterable<Uint8Array> }> {
  const { head, chunks } = await peek(source, prescanBytes)
  const text = head.toString('latin1').replaceAll(/<!--[\s\S]*?-->/g, '')
  const [, named] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text) ?? []
  // The declaration was readable as ASCII, so the page cannot be UTF-16.
  return { charset: named === undefined || /^utf-?16/i.test(named) ? undefined : named.toLowerCase(), chunks }
}
