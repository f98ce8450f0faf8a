import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Input, Select, Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Cluster, Stack } from '../../ui/page/page.tsx'
import { useEvaluationSets } from './evaluation-queries.ts'

/** Asks whether an answer was good; it becomes a question of a test set by one more click. */
export function AnswerFeedback({ runId }: { runId: string }) {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  const [isAdding, setAdding] = useState(false)
  const [isCommenting, setCommenting] = useState(false)
  const { data } = useApiQuery(['feedback', runId], (api_, options) =>
    api_.ai.listFeedback({ query: { run_id: runId, limit: 1 } }, options),
  )
  const rating = data?.items[0]?.rating
  const given = data?.items[0]?.comment ?? ''
  const rate = async (next: 'up' | 'down') => {
    try {
      await api.ai.giveFeedback({ params: { id: runId }, body: { rating: next, comment: given } })
      await refresh('feedback', runId)
      if (next === 'down' && can('agents:write')) setAdding(true)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <>
      <Cluster>
        {can('ai:chat') && (
          <>
            <Button
              icon="check"
              size="small"
              variant="quiet"
              aria-pressed={rating === 'up'}
              onClick={() => void rate('up')}
            >
              Good
            </Button>
            <Button
              icon="close"
              size="small"
              variant="quiet"
              aria-pressed={rating === 'down'}
              onClick={() => void rate('down')}
            >
              Wrong
            </Button>
            <Button
              size="small"
              variant="quiet"
              aria-expanded={isCommenting}
              onClick={() => setCommenting(!isCommenting)}
            >
              Comment
            </Button>
          </>
        )}
        {can('agents:write') && (
          <Button icon="plus" size="small" variant="quiet" onClick={() => setAdding(true)}>
            Add to a test set
          </Button>
        )}
      </Cluster>
      {isCommenting && (
        <FeedbackComment runId={runId} rating={rating} given={given} onDone={() => setCommenting(false)} />
      )}
      {isAdding && <AddDialog runId={runId} isWrong={rating === 'down'} onClose={() => setAdding(false)} />}
    </>
  )
}

const maxComment = 2_000

/** Asks why an answer is good or wrong, which has to be said as well. */
function FeedbackComment({
  runId,
  rating,
  given,
  onDone,
}: {
  runId: string
  rating: 'up' | 'down' | undefined
  given: string
  onDone: () => void
}) {
  const { api, refresh } = useWorkspace()
  const [comment, setComment] = useState(given)
  const { mutate, isPending } = useMutation({
    mutationFn: (known: 'up' | 'down') =>
      api.ai.giveFeedback({ params: { id: runId }, body: { rating: known, comment: comment.trim() } }),
    onError: showError,
    onSuccess: async () => {
      await refresh('feedback', runId)
      showSuccess('Comment saved')
      onDone()
    },
  })
  return (
    <Stack>
      <Field label="Comment" hint={rating === undefined ? 'Choose Good or Wrong first.' : undefined}>
        <Textarea rows={2} maxLength={maxComment} value={comment} onChange={({ target }) => setComment(target.value)} />
      </Field>
      <Cluster>
        <Button
          size="small"
          isBusy={isPending}
          disabled={rating === undefined || comment.trim() === given}
          onClick={() => rating !== undefined && mutate(rating)}
        >
          Save comment
        </Button>
      </Cluster>
    </Stack>
  )
}

function AddDialog({ runId, isWrong, onClose }: { runId: string; isWrong: boolean; onClose: () => void }) {
  const { api, refresh } = useWorkspace()
  const { data: sets } = useEvaluationSets()
  const [chosen, setChosen] = useState<string>()
  const [newName, setNewName] = useState('')
  const [answer, setAnswer] = useState('')
  const setId = chosen ?? sets?.[0]?.id
  const add = async () => {
    const id =
      setId ?? (await api.agents.createEvaluationSet({ body: { name: newName.trim() || 'Questions of users' } })).id
    const corrected = answer.trim()
    await api.agents.createEvaluationCase({
      params: { evaluation_set_id: id },
      body: { run_id: runId, ...(corrected !== '' && { expected: { answer: corrected } }) },
    })
    await refresh('evaluation-sets')
    showSuccess('The question was added to the test set')
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Add to a test set"
      description="The question of this answer is asked in every test of the set from now on."
      confirmLabel="Add"
      isDangerous={false}
      isDisabled={sets === undefined || (isWrong && answer.trim() === '')}
      onConfirm={add}
    >
      <Stack>
        {sets?.length === 0 ? (
          <Field label="Name of the new test set">
            <Input
              value={newName}
              placeholder="Questions of users"
              onChange={(event) => setNewName(event.target.value)}
            />
          </Field>
        ) : (
          <Field label="Test set">
            <Select
              value={setId ?? ''}
              onChange={(event) => setChosen(event.target.value)}
              options={(sets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Field>
        )}
        <Field
          label={isWrong ? 'The right answer' : 'A better answer'}
          hint={isWrong ? undefined : 'Leave it empty if this answer is right'}
          isOptional={!isWrong}
        >
          <Textarea rows={4} value={answer} onChange={(event) => setAnswer(event.target.value)} />
        </Field>
      </Stack>
    </ConfirmDialog>
  )
}
