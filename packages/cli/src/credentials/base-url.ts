import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { CredentialStore } from './credential-store.ts'

/** Address of the platform that `npm start` runs on this machine. */
const localBaseUrl = 'http://127.0.0.1:8080'

/** Returns the address of the platform: WP_BASE_URL, or that of the last sign-in, or the platform on this machine. */
export async function resolveBaseUrl({ env }: Pick<Context, 'env'>, store: CredentialStore): Promise<string> {
  if (env.WP_BASE_URL) return parseBaseUrl(env.WP_BASE_URL, 'WP_BASE_URL')
  return (await store.currentBaseUrl()) ?? localBaseUrl
}

/** @throws UsageError that names the source of the value */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${source}: ${JSON.stringify(text)} must be an address such as https://api.example.com`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
