import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'

/** A card that loads and fails alone. @param props.height of its content, so that nothing moves when it is there */
export function QueryCard<Data>({
  query: { data, error, refetch },
  height,
  children,
  ...card
}: Omit<Parameters<typeof Card>[0], 'children'> & {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  height: string
  children: (data: Data) => ReactNode
}) {
  return (
    <Card {...card}>
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={height} />
      ) : (
        <div style={{ minHeight: height }}>{children(data)}</div>
      )}
    </Card>
  )
}
