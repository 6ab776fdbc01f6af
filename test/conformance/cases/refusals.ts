// What the server says when it refuses, word by word where people read it: warnings, selectors, metadata, options.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { invalid, refusal, warningsOf } from '../expectations.ts';

const owner = { apiVersion: 'v1', kind: 'Node', name: 'a', uid: '1' };

export const refusals: Topic = {
  name: 'refusals',
  cases: {
    'carry the warnings about the body they refuse': async ({ post, at, name }) => {
      const body = {
        apiVersion: 'conformance.test/v1',
        kind: 'Widget',
        metadata: { name: name() },
        spec: { colour: 'blue', junk: 1 },
      };
      const reply = await post(at.widgets, body);
      expect(reply.status).toBe(422);
      expect(warningsOf(reply)).toEqual(['unknown field "spec.junk"']);
    },
    'carry the warning about a deprecated version': async ({ get, namespace }) => {
      const reply = await get(`/apis/conformance.test/v1beta1/namespaces/${namespace}/widgets/nope`);
      expect(reply.status).toBe(404);
      expect(warningsOf(reply)).toEqual(['conformance.test/v1beta1 Widget is old']);
    },
    'say that what exists already is on its way out': async ({ create, remove, patch, post, at }) => {
      const { path, name } = await create('configmaps', { metadata: { finalizers: ['conformance.test/a'] } });
      await remove(path);
      expect(await post(at.configmaps, { metadata: { name } })).toMatchObject(
        refusal(409, 'AlreadyExists', `object is being deleted: configmaps "${name}" already exists`),
      );
      await patch(path, { metadata: { finalizers: null } });
    },
    ...table<readonly [query: string, words: string]>(
      {
        'show where a list of values begins': ['a in', "unable to parse requirement: found '' expected: '('"],
        'show where a list of values ends': ['a in (b', "found '', expected: ',' or ')'"],
        'show a value that is none': [
          'a==-',
          'unable to parse requirement: values[0][a]: Invalid value: "-"',
        ],
        'show a key that is none': ['-a', 'unable to parse requirement: <nil>: Invalid value: "-a"'],
        'show a second value': ['a=b c', "found 'c', expected: ',' or 'end of string'"],
        'show an absence with a value': ['!a=b', "found '=', expected: ',' or 'end of string'"],
        'show a comma with nothing behind it': ['a,', "found '', expected: identifier after ','"],
        'show a bound that is no number': ['a>x', "for 'Gt', 'Lt' operators, the value must be an integer"],
      },
      async ({ get, at }, [selector, words]) => {
        const reply = await get(`${at.configmaps}?labelSelector=${encodeURIComponent(selector)}`);
        expect(reply).toMatchObject(refusal(400, 'BadRequest', words));
      },
    ),
    'name the fields by which a kind without own ones is selected': async ({ get, at }) => {
      const words = '"spec.a" is not a known field selector: only "metadata.name", "metadata.namespace"';
      expect(await get(`${at.leases}?fieldSelector=spec.a%3D1`)).toMatchObject(
        refusal(400, 'BadRequest', words),
      );
    },
    ...table<readonly [metadata: object, field: string]>(
      {
        'refuse an owner without a version': [
          { ownerReferences: [{ ...owner, apiVersion: '' }] },
          'metadata.ownerReferences.apiVersion',
        ],
        'refuse an Event as owner': [
          { ownerReferences: [{ ...owner, kind: 'Event' }] },
          'metadata.ownerReferences',
        ],
        'refuse a generation below zero': [{ generation: -1 }, 'metadata.generation'],
        'refuse a prefix of names that begins no name': [
          { name: '', generateName: 'Up' },
          'metadata.generateName',
        ],
      },
      async ({ post, at, name }, [metadata, field]) => {
        const reply = await post(at.configmaps, { metadata: { name: name(), ...metadata } });
        expect(reply).toMatchObject(invalid(field, 'FieldValueInvalid'));
      },
    ),
    'name every value that validates fields': async ({ post, at, name }) => {
      const reply = await post(`${at.configmaps}?fieldValidation=Never`, { metadata: { name: name() } });
      expect(reply).toMatchObject(invalid('fieldValidation', 'FieldValueNotSupported'));
      expect(reply.body.message).toContain('supported values: "", "Ignore", "Strict", "Warn"');
    },
    'come to a deletion for the options of its query only when it has no body': async ({ remove, at }) => {
      const path = `${at.configmaps}/nope?dryRun=Some`;
      expect(await remove(path)).toMatchObject(invalid('dryRun', 'FieldValueNotSupported'));
      expect(await remove(path, {})).toMatchObject(refusal(404, 'NotFound'));
    },
    'look at selectors before versions and at options before fields': async ({ get, at }) => {
      expect(await get(`${at.configmaps}?resourceVersion=x&fieldSelector=a%3D1`)).toMatchObject(
        refusal(400, 'BadRequest', 'is not a known field selector'),
      );
      expect(await get(`${at.configmaps}?resourceVersionMatch=Exact&fieldSelector=a%3D1`)).toMatchObject(
        refusal(422, 'Invalid', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    },
    'name an object of a custom resource by the kind it says it has': async ({ post, at, name }) => {
      const body = { apiVersion: 'conformance.test/v1', kind: 'Gizmo', metadata: { name: name() }, spec: {} };
      const reply = await post(at.widgets, body);
      expect(reply).toMatchObject(refusal(422, 'Invalid', 'Gizmo.conformance.test'));
      expect(reply).toMatchObject(invalid('kind', 'FieldValueInvalid'));
    },
    'come when a write that would create names a uid': async ({ put, at, name }) => {
      const own = name();
      const reply = await put(`${at.leases}/${own}`, { metadata: { name: own, uid: '1' } });
      expect(reply).toMatchObject(refusal(409, 'Conflict', 'UID in precondition: 1, UID in object meta: '));
    },
  },
};
