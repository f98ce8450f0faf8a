import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Unloaded } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { isCounting, stillCounting } from './space-words.ts'

/**
 * A card that loads and fails alone.
 * @param props.height of its content, so that nothing moves when it is there
 * @param props.isAsHigh False where the content may be lower; what is below it then moves up.
 */
export function QueryCard<Data>({
  query: { data, error, refetch },
  height,
  isAsHigh = true,
  children,
  ...card
}: Omit<Parameters<typeof Card>[0], 'children'> & {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  height: string
  isAsHigh?: boolean
  children: (data: Data) => ReactNode
}) {
  // While weeks are counted, cells are drawn and withheld under the eyes of the reader.
  const isPartial = isCounting(Object(data))
  return (
    <Card {...card} {...(isPartial && { description: [card.description, stillCounting].filter(Boolean).join(' ') })}>
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height={height} />
      ) : (
        <div style={isAsHigh ? { minHeight: height } : {}}>{children(data)}</div>
      )}
    </Card>
  )
}
