import { useApiQuery, useCan } from '../../session/workspace-context.tsx'

/** Returns the programs and members that the user may list, as options of a filter. */
export function useCallers(): { value: string; label: string }[] {
  const can = useCan()
  const query = { limit: 100 }
  const { data: keys } = useApiQuery(
    ['api-keys', 'names'],
    (api, options) => api.auth.listApiKeys({ query }, options),
    {
      enabled: can('auth:keys'),
      staleTime: 60_000,
    },
  )
  const { data: principals } = useApiQuery(
    ['service-principals', 'names'],
    (api, options) => api.auth.listServicePrincipals({ query }, options),
    { enabled: can('auth:admin'), staleTime: 60_000 },
  )
  const { data: members } = useApiQuery(
    ['members', 'names'],
    (api, options) => api.auth.listUsers({ query }, options),
    { enabled: can('auth:read'), staleTime: 60_000 },
  )
  return [
    ...(keys?.items ?? []).map(({ key_id, name, last4 }) => ({ value: key_id, label: name ?? `API key …${last4}` })),
    ...(principals?.items ?? []).map(({ client_id, name }) => ({ value: client_id, label: name })),
    ...(members?.items ?? []).map(({ user_id, name, email }) => ({ value: user_id, label: name ?? email })),
  ]
}
