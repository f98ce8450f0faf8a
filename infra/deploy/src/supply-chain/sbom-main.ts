// npm run sbom -- [file]: writes the bill of materials of the image as CycloneDX JSON, by default to the terminal.
import { writeFileSync } from 'node:fs'
import { createBillOfMaterials } from './bill-of-materials.ts'

const [file] = process.argv.slice(2)
const bill = createBillOfMaterials()
const text = `${JSON.stringify(bill, null, 2)}\n`
if (file === undefined) process.stdout.write(text)
else {
  writeFileSync(file, text)
  process.stdout.write(`${file}: ${bill.components.length} components\n`)
}
