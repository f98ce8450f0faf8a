import table from 'virtual:endpoint-table'
import { ApiError, type Client, createClientFromTable } from '@wp/client/browser'
import { createStore } from '../api/session-state.ts'

/** True once the platform has refused the link: it is expired or revoked. */
export const linkEnded = createStore(false)

/**
 * Creates the client of a portal link: it sends the secret to the API of the same origin, and no cookie.
 * @param secret the credential of the link
 */
export const createPortalClient = (secret: string): Client =>
  createClientFromTable(
    {
      baseUrl: location.origin,
      credential: { apiKey: secret },
      fetch: async (input, init) => {
        const response = await fetch(input, { ...init, credentials: 'omit' })
        if (response.status === 401) linkEnded.set(true)
        return response
      },
    },
    table,
  )

/** Returns true for the error of a link that does not exist or that the secret does not belong to. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404].includes(error.status)
