import { createStore } from './store.ts'

/** True after a call was refused because the session has ended; the page stays, below a sign-in dialog. */
export const sessionEnded = createStore(false)

/** Reports a call that was refused for want of a session. */
export const notifySessionEnded = (): void => sessionEnded.set(true)
