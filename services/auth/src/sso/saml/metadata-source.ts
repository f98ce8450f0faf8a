import { invalidField, problem } from '@wp/contracts'
import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../../context.ts'
import {
  claimDueMetadata,
  type DueMetadata,
  recordMetadataFailure,
  updateMetadata,
} from '../../store/directory/saml-providers.ts'
import { rejectBlockedAddress } from '../sso-provider.ts'
import { type IdpMetadata, MetadataError, readIdpMetadata } from './idp-metadata.ts'

type Fetching = Pick<Context, 'ssoFetch' | 'isSsoHttpAllowed' | 'now'>

/** Metadata as an administrator gives it. */
export type MetadataSource = { url: string } | { xml: string }

/**
 * Reads metadata that an administrator enters.
 * @throws Problem `validation_failed`, `invalid_endpoint` or `bad_gateway`
 */
export async function readMetadataSource(context: Fetching, source: MetadataSource): Promise<IdpMetadata> {
  const pointer = 'url' in source ? '/metadata_url' : '/metadata_xml'
  try {
    return 'url' in source ? await fetchMetadata(context, source.url) : readMetadata(context, source.xml)
  } catch (cause) {
    if (cause instanceof MetadataError) throw invalidField(pointer, `is not usable: ${cause.message}`)
    rejectBlockedAddress(cause, pointer)
    throw problem('bad_gateway', { detail: 'The metadata of the identity provider could not be fetched', cause })
  }
}

async function fetchMetadata(context: Fetching, url: string): Promise<IdpMetadata> {
  if (!context.isSsoHttpAllowed && !url.startsWith('https:'))
    throw new MetadataError('The address of the metadata must be an https address')
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
  const response = await context.ssoFetch(url, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  if (response.status !== 200) throw new Error(`the address of the metadata returned ${response.status}`)
  return readMetadata(context, await response.text())
}

const readMetadata = ({ isSsoHttpAllowed, now }: Fetching, text: string): IdpMetadata =>
  readIdpMetadata(text, { isHttpAllowed: isSsoHttpAllowed, nowMs: now() })

const maxPerPass = 5

/**
 * Returns the schedule that reads metadata again every hour, so that new certificates of a provider are known before it
 * uses them. If that fails, the earlier metadata stays, and administrators see the reason.
 */
export const samlMetadataSchedule = (context: Fetching & Pick<Context, 'database' | 'log'>): Schedule => ({
  name: 'saml metadata',
  everyMs: 60_000,
  async pass() {
    const due = await claimDueMetadata(context.database.worker, maxPerPass)
    for (const one of due) await refreshMetadata(context, one)
    return due.length === maxPerPass ? 'more' : 'idle'
  },
})

async function refreshMetadata(context: Fetching & Pick<Context, 'database' | 'log'>, due: DueMetadata): Promise<void> {
  const { worker } = context.database
  try {
    const metadata = await fetchMetadata(context, due.metadataUrl)
    if (metadata.entityId !== due.issuer) throw new MetadataError('The metadata is of another entity id')
    await updateMetadata(worker, due, metadata)
  } catch (err) {
    const reason = err instanceof MetadataError ? err.message : 'The metadata could not be fetched'
    context.log.warn(
      { event: 'saml_metadata.refresh_failed', err, workspace_id: due.workspaceId },
      'failed to read the metadata of a SAML provider again',
    )
    await recordMetadataFailure(worker, due, reason)
  }
}
