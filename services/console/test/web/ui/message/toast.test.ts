import { expect, it } from '@jest/globals'
import { isToastWanted, provideToastManager, showSuccess, showUndoable } from '../../../../web/src/ui/message/toast.ts'

it('toasts wait for the code that shows them, in order, and a decision of the person is not lost', () => {
  const done: string[] = []
  showSuccess('saved')
  const commit = showUndoable('deleted', { commit: () => done.push('commit'), undo: () => done.push('undo') })
  commit()
  expect([isToastWanted.get(), done]).toEqual([true, ['commit']])
  const calls: unknown[] = []
  provideToastManager({
    add: ({ title }: { title: string }) => {
      calls.push(title)
      return `id of ${title}`
    },
    close: (id: string) => calls.push(`close ${id}`),
  } as unknown as Parameters<typeof provideToastManager>[0]) // the two methods that are used
  expect(calls).toEqual(['saved', 'deleted', 'close id of deleted'])
  commit()
  showSuccess('again')
  expect([calls.at(-1), done]).toEqual(['again', ['commit']])
})
