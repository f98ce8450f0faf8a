import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from './session.ts'

/** Returns the address of the platform for programs, as snippets show it. */
export function useBaseUrl(): string {
  const { data } = useQuery(sessionQuery)
  return data?.public_base_url ?? location.origin
}
