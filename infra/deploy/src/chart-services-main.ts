// npm run k8s: writes k8s/chart/services.yaml from processes.ts and the contracts. With --check it writes nothing and
// exits with 1 if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { chartServicesFile, renderChartServices } from './chart-services.ts'

if (!process.argv.includes('--check')) writeFileSync(chartServicesFile, renderChartServices())
else if (readFileSync(chartServicesFile, 'utf8') !== renderChartServices()) {
  process.stderr.write('k8s/chart/services.yaml is out of date: run npm run k8s\n')
  process.exitCode = 1
}
