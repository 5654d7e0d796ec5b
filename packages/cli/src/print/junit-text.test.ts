import type { ToolsReport } from '@toolpact/testing';
import { expect, test } from 'vitest';
import { junitText } from './junit-text.ts';

const report: ToolsReport = {
  seed: 1,
  tools: [
    {
      tool: 'a<b',
      effects: 'none',
      followsContract: false,
      verdicts: {
        'tools/name': { verdict: 'broken' },
        'tools/examples': { verdict: 'broken' },
        'tools/abort': { verdict: 'untested', why: 'it "writes"' },
        'tools/stops': { verdict: 'kept' },
      },
    },
  ],
  findings: [
    { check: 'tools/name', level: 'must', tool: 'a<b', message: 'a & \u0000b', evidence: ']]>', fix: 'x' },
    { check: 'tools/examples', level: 'should', tool: 'a<b', message: 'none' },
  ],
};

test('a report is sound XML whatever it says, and what merely disappoints does not fail', () => {
  expect(junitText(report, false)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="toolpact check" tests="4" failures="1">
  <testsuite name="a&lt;b" tests="4" failures="1" skipped="1">
    <testcase classname="a&lt;b" name="tools/name: The name is one every provider accepts, and no other tool has one that looks the same.">
      <failure type="must" message="a &amp; b">a &amp; b
&quot;]]&gt;&quot;
x</failure>
    </testcase>
    <testcase classname="a&lt;b" name="tools/examples: A tool with arguments has at least one example of a call.">
      <system-out>none
null
</system-out>
    </testcase>
    <testcase classname="a&lt;b" name="tools/abort: A caller that stops a call is freed at once, and a call stopped before it began does not run.">
      <skipped message="it &quot;writes&quot;"/>
    </testcase>
    <testcase classname="a&lt;b" name="tools/stops: The tool itself stops working soon after its call was stopped."/>
  </testsuite>
</testsuites>
`);
});

test('with strict, what could be better fails too', () => {
  expect(junitText(report, true)).toContain('<testsuites name="toolpact check" tests="4" failures="2">');
  expect(junitText(report, true)).toContain('<failure type="should" message="none">');
});
