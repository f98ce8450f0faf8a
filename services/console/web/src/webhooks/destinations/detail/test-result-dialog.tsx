import type { DestinationTest } from '@wp/contracts'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { formatDuration } from '../../../ui/format/format.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { describeError } from '../destination-words.ts'

export type TestResult = z.infer<typeof DestinationTest>

/** The result of a test: what the other side responded, or what went wrong and what to do. */
export function TestResultDialog({
  title,
  result: { ok, error, response, duration_ms: durationMs },
  onClose,
  footer,
}: {
  title: string
  result: TestResult
  onClose: () => void
  footer: ReactNode
}) {
  const { reason, advice } = describeError(error?.code ?? '')
  const shown = response ?? error?.message
  return (
    <Dialog isOpen onClose={onClose} title={title} footer={footer}>
      <Stack>
        {ok ? (
          <Callout tone="success" title={`The test record was accepted in ${formatDuration(durationMs)}`}>
            It has the position 0, so that your system can tell it from records of the log.
          </Callout>
        ) : (
          <Callout tone="warning" title={`${reason}.`}>
            {advice && `${advice}.`}
          </Callout>
        )}
        {shown !== undefined && (
          <div>
            <p>{ok ? 'The other side answered:' : 'Details:'}</p>
            <CodeBlock label="Response" code={shown} wrap />
          </div>
        )}
      </Stack>
    </Dialog>
  )
}
