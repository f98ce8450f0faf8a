import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from '@jest/globals'
import type { WebBuild } from '../../src/assets/web-build.ts'
import { builtName, nameProduct } from '../../src/page/name-product.ts'

const page = (html: string) => ({ contentType: 'text/html', content: Buffer.from(html), gzip: null, brotli: null })
const build: WebBuild = {
  page: page(`<meta name="product-name" content="${builtName}" /><title>${builtName}</title>`),
  portalPage: page(`<meta name="product-name" content="${builtName}" />`),
  signInPage: page(`<title>Sign in · ${builtName}</title>`),
  assets: new Map(),
  others: new Map([['favicon.svg', page(`<svg><title>${builtName}</title><text>W</text></svg>`)]]),
}

it('leaves the pages as they were built with the default name', () => {
  expect(nameProduct(build, builtName)).toBe(build)
})

it('writes another name into the pages and its letter into the icon, in every encoding, as text', () => {
  const { page: named, signInPage, others } = nameProduct(build, `A&B "<Offices>" $&`)
  const name = 'A&amp;B &quot;&lt;Offices&gt;&quot; $&amp;'
  const html = `<meta name="product-name" content="${name}" /><title>${name}</title>`
  expect(named.content.toString()).toBe(html)
  expect(gunzipSync(named.gzip ?? '').toString()).toBe(html)
  expect(brotliDecompressSync(named.brotli ?? '').toString()).toBe(html)
  expect(signInPage.content.toString()).toBe(`<title>Sign in · ${name}</title>`)
  const icon = others.get('favicon.svg')?.content.toString()
  expect(icon).toBe(`<svg><title>${name}</title><text>A</text></svg>`)
})
