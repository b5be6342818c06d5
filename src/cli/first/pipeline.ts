import { fileWord } from '../../values/shell-word.ts';

/** Where passk runs on every change. */
export const PIPELINES = ['github', 'gitlab'] as const;
export type Pipeline = (typeof PIPELINES)[number];

/** The file that such a service reads, from the root of a repository. */
export const PIPELINE_FILES: Readonly<Record<Pipeline, string>> = {
  github: '.github/workflows/passk.yml',
  gitlab: '.gitlab-ci.yml',
};

const WHAT_IT_DOES = `# Runs passk on every change. Exit code 1 stops it: a trial failed that must pass, or the gate below does not hold.
# 2: something is wrong with a file or a flag. 3: there is not enough evidence for a verdict.`;

/** What `passk init --ci` writes, for the scenarios of a folder. */
export function firstPipeline(pipeline: Pipeline, dir: string): string {
  const run = `npx passk ${fileWord(dir)} --gate 'pass^4 >= 0.9' --reporter junit:passk.xml --reporter html:passk.html`;
  return pipeline === 'github' ? githubWorkflow(`${run} --reporter github`) : gitlabJob(run);
}

function githubWorkflow(run: string): string {
  return `${WHAT_IT_DOES}
name: passk
on: [push, pull_request]
jobs:
  passk:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: ${run}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: passk
          path: |
            passk.html
            passk.xml
`;
}

function gitlabJob(run: string): string {
  return `${WHAT_IT_DOES}
passk:
  image: node:22
  script:
    - npm ci
    - ${run}
  artifacts:
    when: always
    paths: [passk.html]
    reports:
      junit: passk.xml
`;
}
