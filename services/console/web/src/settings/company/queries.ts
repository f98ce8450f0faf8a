import type { SsoConnection } from '@wp/contracts'
import type { z } from 'zod'
import { isNotFound } from '../../api/describe-error.ts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'

/** The connection of the workspace to the identity provider of its company. */
export type Connection = z.infer<typeof SsoConnection>

export const connectionQuery = 'company-connection'
export const domainsQuery = 'company-domains'
export const policyQuery = 'sign-in-policy'
export const tokensQuery = 'directory-tokens'

export const useDomains = () =>
  useApiQuery([domainsQuery], (api, options) => api.auth.listSsoDomains({ query: { limit: 100 } }, options))

/** Reads the connection, which is undefined until the company is connected. */
export const useConnection = () =>
  useApiQuery([connectionQuery], async (api, options) => {
    try {
      return { connection: await api.auth.getSsoConnection({}, options) }
    } catch (failure) {
      if (isNotFound(failure)) return { connection: undefined }
      throw failure
    }
  })

export const useSignInPolicy = () => useApiQuery([policyQuery], (api, options) => api.auth.getSignInPolicy({}, options))

/** Reads the tokens of directories, which only administrators may see. */
export function useDirectoryTokens() {
  const enabled = useCan()('auth:admin')
  return useApiQuery([tokensQuery], (api, options) => api.auth.listScimTokens({ query: { limit: 100 } }, options), {
    enabled,
  })
}
