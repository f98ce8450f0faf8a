import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Reader, ReaderContext } from '../ui/format/reader.ts'
import { sessionQuery } from './session.ts'

/**
 * Writes the dates of all pages as the profile of the signed-in user says. English without a region has the day first,
 * as the sentences and charts of the console have.
 */
export function ReaderProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const { locale, timezone } = data?.authenticated ? data.user : {}
  const reader = useMemo(
    (): Reader => ({ locale: locale === 'en' ? 'en-GB' : (locale ?? undefined), timeZone: timezone ?? undefined }),
    [locale, timezone],
  )
  return <ReaderContext value={reader}>{children}</ReaderContext>
}
