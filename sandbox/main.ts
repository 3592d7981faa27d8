import { createCommand } from './commands.ts';

await createCommand().parseAsync();
