const [firstByte, lastByte] = [0xa1, 0xfe]
const minCharacters = 8
/** Fewer different characters are no proof of an encoding. */
export const minSureCharacters = 40
const minCommon = 0.9
const maxRare = 0.06

/**
 * Returns the encoding of a text whose foreign characters are pairs of bytes from 0xA1 to 0xFE: EUC-JP, EUC-KR or
 * GB 2312, of which any text is well-formed in the others. They differ in their common characters: those of Korean are
 * in the rows from 0xB0 to 0xC8, those of Japanese to 0xCF, those of Chinese, in the order of their sound, to 0xD7.
 *
 * @returns undefined if it is another text, or too short to tell
 */
export function guessEuc(bytes: Uint8Array): { name: string; confidence: number } | undefined {
  const characters = new Set<number>()
  for (let at = 0; at < bytes.length - 1; at++) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]]
    if (lead < 0x80) continue
    if (lead < firstByte || lead > lastByte || trail < firstByte || trail > lastByte) return undefined
    characters.add(lead * 256 + trail)
    at++
  }
  const rows = [...characters].map((character) => character >> 8)
  const shareOf = (first: number, last: number, of = rows) =>
    of.filter((row) => row >= first && row <= last).length / of.length
  const words = rows.filter((row) => row >= 0xb0)
  const isKana = shareOf(0xa4, 0xa5) > maxRare
  if (rows.length < minCharacters || shareOf(0xa1, 0xa5) + shareOf(0xb0, 0xd7) < minCommon) return undefined
  const confidence = rows.length < minSureCharacters ? 0.7 : 0.95
  if (isKana) return { name: 'euc-jp', confidence }
  if (shareOf(0xd0, 0xd7, words) > maxRare) return { name: 'gb18030', confidence }
  return { name: shareOf(0xc9, 0xcf, words) > maxRare ? 'euc-jp' : 'euc-kr', confidence }
}
