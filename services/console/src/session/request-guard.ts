import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@wp/contracts'

/** The header that scripts of the app send. A page of another origin cannot send it without a CORS preflight. */
export const consoleHeader = 'x-console'

interface GuardOptions {
  /** Origin of the platform, for example `https://platform.example`. */
  origin: string
  /** True for the download of a file, which the browser may request by a link and so without the header. */
  isDownload?: boolean
}

/**
 * Rejects requests that a page of another origin can cause (CSRF). The cookie alone never suffices: the app's own
 * header is required, and the browser must say that the request is of this origin (Fetch Metadata,
 * https://www.w3.org/TR/fetch-metadata/; older browsers say so by `Origin`).
 * @throws Problem `origin_forbidden`
 */
export function rejectForeignRequest(headers: IncomingHttpHeaders, { origin, isDownload = false }: GuardOptions): void {
  const site = headers['sec-fetch-site']
  const isSameOrigin = site === undefined ? isOwnOrigin(headers.origin, origin) : site === 'same-origin'
  if (!isSameOrigin) throw foreign('Only pages of the console may send this request')
  if (headers[consoleHeader] === '1' || (isDownload && site === 'same-origin')) return
  throw foreign(`The header \`${consoleHeader}: 1\` is required`)
}

/** Clients that are no browser send no origin. */
const isOwnOrigin = (sent: string | undefined, origin: string) => sent === undefined || sent === origin

const foreign = (detail: string) => problem('origin_forbidden', { detail })
