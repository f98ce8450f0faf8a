import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AutoETS, initSync as startEts } from '@bsull/augurs/ets'
import { MSTL, initSync as startMstl } from '@bsull/augurs/mstl'
import type { Model } from './model.ts'

/**
 * MSTL decomposition (Bandara, Hyndman & Bergmeir 2021), with exponential smoothing of the remainder, its form chosen by
 * AICc.
 */
export function mstlEts(periods: number[]): Model {
  startMstl({ module: wasmOf('mstl') })
  return {
    name: 'mstl_ets',
    needs: 2 * Math.max(...periods) + 1,
    predict: ({ values }, cells) => {
      using model = MSTL.ets(periods)
      model.fit(values)
      return Float64Array.from(model.predict(cells).point)
    },
  }
}

/** Exponential smoothing without a season (Hyndman & Khandakar 2008), its form chosen by AICc. */
export function ets(): Model {
  startEts({ module: wasmOf('ets') })
  return {
    name: 'ets',
    needs: 8,
    predict: ({ values }, cells) => {
      using model = new AutoETS(1, 'ZZN')
      model.fit(values)
      return Float64Array.from(model.predict(cells).point)
    },
  }
}

/** Reads the WebAssembly of the package, which would fetch it otherwise. Initializing it twice has no effect. */
function wasmOf(part: 'mstl' | 'ets'): Buffer {
  const script = createRequire(import.meta.url).resolve(`@bsull/augurs/${part}`)
  return readFileSync(script.replace(/\.js$/, '_bg.wasm'))
}
