/* Tests which files of LEGATO_CHECKPOINT exist after a program has ended. Files of finished problems are removed if
 * the program ended with status 0 and no call failed. All other files remain. Each case is a child of this program. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../fortran/dropin_checkpoint.h"

static const char* scratch;
static int wrong;

static void name_file(char path[LEGATO_CHECKPOINT_PATH], uint64_t hash) {
    snprintf(path, LEGATO_CHECKPOINT_PATH, "%s/legato-test-%016llx.h5", scratch, (unsigned long long)hash);
}

/* Begins a problem whose file exists already, as after a program that was killed. */
static struct legato_checkpoint begin(uint64_t hash) {
    struct legato_checkpoint checkpoint;
    char path[LEGATO_CHECKPOINT_PATH];
    name_file(path, hash);
    FILE* const file = fopen(path, "w");
    if (!file || fclose(file) != 0 || legato_checkpoint_begin(&checkpoint, "test", hash, "h5") != 0 ||
        !checkpoint.there)
        exit(90);
    return checkpoint;
}

static void finishes(void) {
    const struct legato_checkpoint checkpoint = begin(1);
    legato_checkpoint_finished(&checkpoint);
}
static void does_not_finish(void) {
    begin(1);
}
static void fails_elsewhere(void) {
    finishes();
    legato_checkpoint_keep();
}
static void stops_with_an_error(void) {
    finishes();
    exit(1);
}
static void has_a_child(void) {
    finishes();
    const pid_t child = fork();
    if (child == 0) exit(0);
    int status;
    waitpid(child, &status, 0);
    const struct legato_checkpoint checkpoint = begin(2); /* not finishes(), which would create file 1 again */
    if (access(checkpoint.path, F_OK) != 0 || status != 0) exit(91);
    _exit(0);
}
static void changes_its_folder(void) {
    finishes();
    if (chdir("/") != 0) exit(92);
}

static void has_no_file(void) {
    struct legato_checkpoint checkpoint;
    if (legato_checkpoint_begin(&checkpoint, "test", 1, "h5") != 0 || !checkpoint.wanted || checkpoint.there) exit(93);
}
/* Any other failure than a missing file must not be taken for a missing file, which would begin the work anew. */
static void cannot_look_up_its_file(void) {
    struct legato_checkpoint checkpoint;
    char path[LEGATO_CHECKPOINT_PATH];
    name_file(path, 3);
    if (symlink(path, path) != 0 || legato_checkpoint_begin(&checkpoint, "test", 3, "h5") != 1) exit(94);
    if (checkpoint.wanted || checkpoint.there) exit(95);
}

static void expect(const char* what, void (*program)(void), int expected_status, int stays) {
    const pid_t child = fork();
    if (child == 0) {
        program();
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    char path[LEGATO_CHECKPOINT_PATH];
    name_file(path, 1);
    const int there = access(path, F_OK) == 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != expected_status || there != stays) {
        printf("a program that %s: status %d, the file is %sthere\n", what, status, there ? "" : "not ");
        wrong = 1;
    }
    unlink(path);
}

int main(void) {
    char name[] = "checkpoint-files-XXXXXX", absolute[LEGATO_CHECKPOINT_PATH];
    if (!mkdtemp(name) || !realpath(name, absolute)) return 1;
    scratch = absolute;
    setenv("LEGATO_CHECKPOINT", name, 1); /* a relative path */
    expect("finishes", finishes, 0, 0);
    expect("does not finish", does_not_finish, 0, 1);
    expect("fails elsewhere", fails_elsewhere, 0, 1);
    expect("stops with an error", stops_with_an_error, 1, 1);
    expect("has a child", has_a_child, 0, 1);
    expect("changes its folder", changes_its_folder, 0, 0);
    expect("has no file", has_no_file, 0, 0);
    expect("cannot look up its file", cannot_look_up_its_file, 0, 0);
    const int left = system("rm -r checkpoint-files-*");
    return wrong || left != 0;
}
