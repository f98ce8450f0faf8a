import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../session/workspace-context.tsx'
import { type ChainCheck, verifyChain } from './verify-chain.ts'

/** A verification of the chain that a person starts and can stop. */
export function useChainCheck() {
  const api = useApi()
  const [check, setCheck] = useState<ChainCheck>()
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (headToken: string | undefined) => {
    const controller = new AbortController()
    const { signal } = controller
    running.current?.abort()
    running.current = controller
    setCheck(undefined)
    setError(undefined)
    setRunning(true)
    try {
      const states = verifyChain({
        readHead: () => api.audit.readHead({}, { signal }),
        verifyPart: (query) => api.audit.verifyLogs({ query }, { signal }),
        headToken,
      })
      for await (const state of states) setCheck(state)
    } catch (failure) {
      if (!signal.aborted) setError(failure)
    } finally {
      if (running.current === controller) setRunning(false)
    }
  }
  return { check, error, isRunning, start, stop: () => running.current?.abort() }
}
