import type { HttpResult } from '@wp/contracts'
import { InvalidClientError } from '../clients/client-metadata.ts'
import { createRegisteredClient } from '../clients/registered-client.ts'
import type { Operation } from '../context.ts'

/**
 * Registers a client (RFC 7591). Whatever it asks for, it becomes a public client of the authorization code grant, as
 * section 3.2.1 permits.
 */
export const registerClient: Operation<'registerClient'> = async (
  { derivedKeys, now },
  _caller,
  { body: { client_name, redirect_uris = [] } },
) => {
  try {
    const client = createRegisteredClient(derivedKeys, { client_name, redirect_uris })
    return json(201, {
      client_id: client.id,
      client_id_issued_at: Math.floor(now() / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  } catch (error) {
    if (!(error instanceof InvalidClientError)) throw error
    return json(400, { error: 'invalid_redirect_uri', error_description: error.message })
  }
}

const json = (status: number, body: object): HttpResult => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
