import { readFile } from 'node:fs/promises'
import { chooseEncoding, matchesTag } from '@wp/service'
import type { Request, Response } from 'express'
import { assetHeaders, docsPageHeaders, otherFileHeaders } from './page-policy.ts'
import type { SiteFile } from './site-files.ts'

const headersOf = { page: docsPageHeaders, asset: assetHeaders, other: otherFileHeaders }
const extensions = { br: '.br', gzip: '.gz' }

/** Sends a file in the smallest encoding that the client accepts; 304 if the client has it, no body for HEAD. */
export async function sendSiteFile(request: Request, response: Response, file: SiteFile, status = 200): Promise<void> {
  const encoding = chooseEncoding(request.get('accept-encoding'), (name) => file.encodings.has(name))
  const etag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  response.set({ ...headersOf[file.kind], etag }).vary('accept-encoding')
  const condition = request.get('if-none-match')
  if (status === 200 && condition !== undefined && matchesTag(condition.replaceAll(/\bW\//g, ''), etag))
    return void response.status(304).end()
  const body = await readFile(`${file.file}${encoding === undefined ? '' : extensions[encoding]}`)
  if (encoding !== undefined) response.set('content-encoding', encoding)
  response.status(status).set({ 'content-type': file.contentType, 'content-length': String(body.length) })
  response.end(request.method === 'HEAD' ? undefined : body)
}
