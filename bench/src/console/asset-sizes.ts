import { request } from 'undici'

/** Bytes of some assets, as they are sent. */
export interface AssetSizes {
  scripts: number
  scriptGzip: number
  scriptBrotli: number
  stylesGzip: number
  fonts: number
}

/** Adds up the sizes of the responses of some assets. @param urls the addresses that a page requested */
export async function sumAssets(urls: Iterable<string>): Promise<AssetSizes> {
  const all = [...urls]
  async function sum(extension: string, encoding: 'gzip' | 'br') {
    const sizes = all.filter((url) => url.endsWith(extension)).map((url) => bytesOf(url, encoding))
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
  }
  return {
    scripts: all.filter((url) => url.endsWith('.js')).length,
    scriptGzip: await sum('.js', 'gzip'),
    scriptBrotli: await sum('.js', 'br'),
    stylesGzip: await sum('.css', 'gzip'),
    fonts: await sum('.woff2', 'gzip'),
  }
}

/** Returns the size of a response. The client does not decompress it. */
async function bytesOf(url: string, encoding: string): Promise<number> {
  const { statusCode, body } = await request(url, { headers: { 'accept-encoding': encoding } })
  const { byteLength } = await body.arrayBuffer()
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
  return byteLength
}
