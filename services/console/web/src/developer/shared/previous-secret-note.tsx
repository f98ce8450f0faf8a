import { Time } from '../../ui/data/time.tsx'
import { Callout } from '../../ui/message/callout.tsx'

/** States until when the previous secret works. @param until null if it has ended */
export const PreviousSecretNote = ({ noun, until }: { noun: string; until: string | null }) =>
  until === null ? (
    <Callout tone="info">The old {noun} no longer works.</Callout>
  ) : (
    <Callout tone="info">
      The old {noun} works until <Time value={until} format="absolute" />.
    </Callout>
  )
