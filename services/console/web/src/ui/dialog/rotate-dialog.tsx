import { useState } from 'react'
import { Radio } from '../form/controls.tsx'
import { FieldGroup } from '../form/field.tsx'
import { Callout } from '../message/message.tsx'
import { Stack } from '../page/page.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

const overlaps = [
  {
    seconds: 0,
    label: 'None',
    hint: 'The old one stops working at once. Choose this if it may be known to others.',
  },
  { seconds: hourSeconds, label: '1 hour', hint: 'Enough to redeploy one service.' },
  { seconds: daySeconds, label: '24 hours', hint: 'Both work for a day.' },
  { seconds: 7 * daySeconds, label: '7 days', hint: 'For secrets that are stored in many places.' },
] as const

/** Replaces a secret, with a chosen overlap in which the previous one still works. @param noun `secret`, `key` */
export function RotateDialog({
  isOpen,
  onClose,
  name,
  noun,
  isRevealable = false,
  onRotate,
}: {
  isOpen: boolean
  onClose: () => void
  /** Of the resource whose secret is replaced. */
  name: string
  noun: string
  /** The new value can be read again. */
  isRevealable?: boolean
  /** Rejects if the call fails; the dialog stays open with the error. */
  onRotate: (overlapSeconds: number) => Promise<unknown>
}) {
  const [seconds, setSeconds] = useState<number>(daySeconds)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Rotate the ${noun} of ${name}`}
      description={`Creates a new ${noun}, which ${isRevealable ? 'can be revealed later too' : 'is shown once'}.`}
      confirmLabel={`Rotate ${noun}`}
      isDangerous={false}
      onConfirm={() => onRotate(seconds)}
    >
      <Stack>
        <FieldGroup label={`How long the old ${noun} keeps working`}>
          <Stack>
            {overlaps.map((overlap) => (
              <Radio
                key={overlap.seconds}
                name="overlap"
                label={overlap.label}
                hint={overlap.hint}
                checked={seconds === overlap.seconds}
                onChange={() => setSeconds(overlap.seconds)}
              />
            ))}
          </Stack>
        </FieldGroup>
        {seconds === 0 && (
          <Callout tone="warning">Everything that uses the old {noun} fails until it has the new one.</Callout>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
