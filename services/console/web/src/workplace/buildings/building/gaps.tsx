import { Callout } from '../../../ui/message/message.tsx'
import { describeGaps, type UtilizationPage } from '../space-words.ts'

const maxGaps = 4

/** Says in words what the figures of a page leave out. */
export function Gaps({ page }: { page: UtilizationPage }) {
  const gaps = describeGaps(page)
  if (gaps.length === 0) return null
  const more = gaps.length - maxGaps
  return (
    <Callout tone="warning">
      {gaps.slice(0, maxGaps).map((gap) => (
        <p key={gap}>{gap}</p>
      ))}
      {more > 0 && <p>{`And ${more} more of this kind.`}</p>}
    </Callout>
  )
}
